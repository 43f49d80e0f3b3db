import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useEffect } from 'react';
import { api } from '../../app/api.ts';
import type { PlanRequest } from '../../queries/plans.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';

/**
 * The confirmation of an application that came when too many mails went to strangers. It is sent when staff open the application, and by a
 * button where the page only shows it as the first.
 */
export function WaitingConfirmation({ request, isChosen }: { request: PlanRequest; isChosen: boolean }) {
  const { mutate, isPending, isSuccess, isError } = useMutation({
    mutationFn: () => api.sendApplicationMail({ params: { id: request.id } }),
    onSuccess: () => void refreshAfter('applicationMailSent'),
    onError: (error) => announceError(error),
  });
  const isDue = isChosen && request.mailWaits;
  useEffect(() => {
    if (isDue) mutate();
  }, [isDue, mutate]);
  const { email } = request.applicant;
  if (isSuccess) {
    return (
      <Note tone="ok">
        <p role="status">The confirmation to {email} waited, and is sent now.</p>
      </Note>
    );
  }
  if (!request.mailWaits) return null;
  return (
    <Note
      tone="warn"
      action={
        isChosen && !isError ? undefined : (
          <Button size="sm" icon={<Send aria-hidden />} busy={isPending && 'Sending'} onClick={() => mutate()}>
            Send now
          </Button>
        )
      }
    >
      <p>
        <b>The confirmation to {email} waits.</b> Too many mails went to new addresses within that hour.
      </p>
    </Note>
  );
}
