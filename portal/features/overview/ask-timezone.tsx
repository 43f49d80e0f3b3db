import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { loadMessages } from '../../app/messages.ts';
import { setSessionUser, useUser } from '../../app/session.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { usePreference } from '../../ui/hooks/use-preference.ts';
import { placeOf } from '../../ui/text/format.ts';
import { browserZone } from '../../ui/text/reader.ts';

/** Asks an admin of an agency that still has the zone it began with, UTC, and offers that of the browser. Clients keep theirs. */
export function AskTimezone() {
  const user = useUser();
  const refusal = useRefusal('agency.manage');
  const [kept, setKept] = usePreference<string>(`timezone-kept.${user.partner.id}`, '');
  const zone = browserZone();
  const use = useMutation({
    mutationFn: async () => {
      const { timezone } = await api.updateMyPartner({ body: { timezone: zone } });
      // The own profile began with the zone of the agency.
      const me = user.timezone === 'UTC' ? await api.updateMe({ body: { timezone: zone } }) : user;
      return { ...me, partner: { ...user.partner, timezone } };
    },
    onSuccess: async (next) => {
      // Sets the time zone before the session changes, because that change renders all times again.
      await loadMessages('en', next.timezone);
      setSessionUser({ ...user, ...next });
      announce(`Your agency is on the time of ${placeOf(zone)}.`, {
        detail: 'Quiet hours and reminders follow the time zone of each client: check it in the settings of those you have.',
      });
      void refreshAfter('timezoneChosen');
    },
    onError: (error) => announceError(error),
  });
  if (refusal !== undefined || user.partner.timezone !== 'UTC' || kept !== '' || isUtc(zone)) return null;
  return (
    <div className="mb-4">
      <Note
        tone="warn"
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="sm" kind="primary" busy={use.isPending && 'Saving'} onClick={() => use.mutate()}>
              Use {placeOf(zone)}
            </Button>
            <Link to="/dashboard/settings" className={buttonClass('default', 'sm')}>
              Choose another
            </Link>
            <Button size="sm" kind="quiet" onClick={() => setKept('UTC')}>
              Keep UTC
            </Button>
          </span>
        }
      >
        <b>Which time zone is your agency in?</b> It is set to UTC. Days of your figures and times in e-mails follow it, and new clients
        begin with it. Quiet hours follow the time zone of each client, which is in its settings.
      </Note>
    </div>
  );
}

function isUtc(zone: string): boolean {
  return ['UTC', 'Etc/UTC', 'Etc/GMT', 'GMT'].includes(zone);
}
