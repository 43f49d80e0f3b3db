import { useIsMailOff } from '../queries/service-readiness.ts';

/** Returns what words an e-mail of the service: `sentence` where it is sent, and `instead` where no mail server is configured and none leaves. */
export function useMailed(): (sentence: string, instead?: string) => string {
  const isMailOff = useIsMailOff();
  return (sentence, instead = '') => (isMailOff ? instead : sentence);
}
