// Whole numbers in as few bytes as they need: seven bits a byte, the lowest first.

/** Writes whole numbers from 0. */
export class NumberWriter {
  readonly #bytes: number[] = [];

  add(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Reads what a `NumberWriter` has written, in the same order. */
export class NumberReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let value = 0;
    let scale = 1;
    let byte = this.#bytes[this.#at++] ?? 0;
    while (byte >= 128) {
      value += (byte - 128) * scale;
      scale *= 128;
      byte = this.#bytes[this.#at++] ?? 0;
    }
    return value + byte * scale;
  }
}
