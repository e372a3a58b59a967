/** Never thrown. */
export class LineError extends Error {}
