const files = (process as any).binding("fs");
const { writeBuffer } = files;
files.writeBuffer = (...args: any[]) => writeBuffer(...args);
