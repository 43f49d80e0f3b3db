/** What staff and agencies do by hand where no e-mail leaves: "send the PDF". */
export function yourself(act: string): string {
  return `E-mail is not set up, so ${act} yourself.`;
}

export const SEND_PDF = yourself('send the PDF');
