import { useIsMailOff } from '../queries/service-readiness.ts';

/** Returns what words an e-mail of the service: `sentence` where it is sent, and `instead` where no mail server is configured and none leaves. */
export function useMailed(): (sentence: string, instead?: string) => string {
  const isMailOff = useIsMailOff();
  return (sentence, instead = '') => (isMailOff ? instead : sentence);
}

/** What staff and agencies do by hand where no e-mail leaves: "send the PDF". */
export function yourself(act: string): string {
  return `E-mail is not set up, so ${act} yourself.`;
}

export const SEND_PDF = yourself('send the PDF');
