/** Saves `text` as a CSV file, with the byte order mark by which spreadsheets recognise UTF-8: reading the text of a response removes it. */
export const downloadCsv = async (text: Promise<string>, filename: string): Promise<void> =>
  saveBlob(new Blob(['\uFEFF', (await text).replace(/^\uFEFF/, '')], { type: 'text/csv' }), filename);

/** Saves the bytes of a PDF. */
export const downloadPdf = async (bytes: Promise<Uint8Array>, filename: string): Promise<void> =>
  // The bytes of a response are never shared memory.
  saveBlob(new Blob([(await bytes) as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), filename);

/** Saves `text` as a file. The text comes from a call with the session's header, so the address carries no token. */
export async function downloadText(text: Promise<string>, filename: string, type: string): Promise<void> {
  saveBlob(new Blob([await text], { type }), filename);
}

/** Saves what is in memory as a file. */
export function saveBlob(content: Blob, filename: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
