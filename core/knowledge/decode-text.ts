/** How a text file is encoded: by its mark, else UTF-8 when it is valid, else the old character set of Western Europe. */
export function decodeText(bytes: Uint8Array): string | null {
  const encoding = encodingOf(bytes);
  if (encoding === null) return null;
  const text = new TextDecoder(encoding).decode(bytes);
  return clean(text);
}

/** Returns whether bytes are likely a text: null bytes appear in pairs of UTF-16 only. */
export function looksLikeText(bytes: Uint8Array): boolean {
  return encodingOf(bytes.subarray(0, 65_536)) !== null;
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  let controls = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
    else if (byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls += 1;
  }
  const [even = 0, odd = 0] = zeros;
  if (controls * 50 > bytes.length) return null;
  if (even + odd > 0) {
    // A text without a mark in UTF-16: the zeros are on one side, and many.
    if (even === 0 && odd * 3 > bytes.length / 2) return 'utf-16le';
    return odd === 0 && even * 3 > bytes.length / 2 ? 'utf-16be' : null;
  }
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // The last character of a beginning may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Returns a text without what Postgres cannot store and no one reads. */
export function clean(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/^\uFEFF/, '')
      // oxlint-disable-next-line no-control-regex -- matches control characters on purpose
      .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
      .replace(/[^\S\n]+/g, ' ')
  );
}
