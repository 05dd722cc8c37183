/** Bytes as text and back, compressed or not. */

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64.replace(/\s+/g, ""));
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  return bytes;
}

/** Base64 that needs no escapes in an address. */
export function inAddress(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function fromAddress(text: string): Uint8Array<ArrayBuffer> {
  return bytesOf(text.replaceAll("-", "+").replaceAll("_", "/"));
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

export async function zipped(bytes: Uint8Array<ArrayBuffer>, format: CompressionFormat): Promise<Uint8Array> {
  return collected(new Blob([bytes]).stream().pipeThrough(new CompressionStream(format)), Number.POSITIVE_INFINITY);
}

/** What was compressed; an error if it is damaged, or more than `most` bytes. */
export async function unzipped(
  bytes: Uint8Array<ArrayBuffer>,
  format: CompressionFormat,
  most = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  return collected(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)), most);
}

async function collected(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new RangeError(`more than ${most} bytes`);
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
