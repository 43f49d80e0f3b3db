import { useMutation } from '@tanstack/react-query';
import { api } from '../../app/api.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Time } from '../../ui/text/time.tsx';
import { type Connection, setConnection } from './queries.ts';

/** When the provider was last read, and the button to read it again: also while enforced, since it may change its keys at any time. */
export function ProviderReading({ connection, refusal }: { connection: Connection; refusal: string | undefined }) {
  const reading = useMutation({
    mutationFn: () => api.refreshSsoConnection(),
    onSuccess: (saved) => {
      setConnection(saved);
      if (saved.metadataProblem === null) announce('We read your provider’s metadata again.');
    },
    onError: announceError,
  });
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Time iso={connection.metadataReadAt} />
      <Button size="sm" disabledReason={refusal} busy={reading.isPending && 'Reading'} onClick={() => reading.mutate()}>
        Read again now
      </Button>
    </span>
  );
}
