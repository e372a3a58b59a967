/** Says which line could not be read; lines count from 1. */
export class LineError extends SyntaxError {
  readonly number: number;
  readonly line: string;

  constructor(number: number, line: string) {
    super(`line ${number}: no amount`);
    this.number = number;
    this.line = line;
  }
}
