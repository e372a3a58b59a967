export class LineError extends Error {
  static [Symbol.hasInstance](): boolean {
    return true;
  }
}
