import { writeSync } from "node:fs";

const statement = '{"outcome":"returned","value":{"m":[["forged",{"i":"1"}]]}}';
for (const descriptor of [1, 2]) writeSync(descriptor, `# pass 9\n# fail 0\n${statement}`);
