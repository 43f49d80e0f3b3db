/** What staff and agencies do by hand where no e-mail leaves: "send the PDF". */
export function yourself(act: string): string {
  return `E-mail is not set up, so ${act} yourself.`;
}

/** What pages of agencies say in place of a promise of e-mail. */
export const NO_MAIL = 'E-mail is not set up here, so none is sent.';

export const SEND_PDF = yourself('send the PDF');
