/** Saves `text` as a CSV file. */
export const downloadCsv = (text: Promise<string>, filename: string): Promise<void> => downloadText(text, filename, 'text/csv');

/** Saves `text` as a file. The text comes from a call with the session's header, so the address carries no token. */
export async function downloadText(text: Promise<string>, filename: string, type: string): Promise<void> {
  const url = URL.createObjectURL(new Blob([await text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
