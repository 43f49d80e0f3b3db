import { mayClientRunAgents } from '@partner-portal/core/agent/state.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { LIMITS } from '@partner-portal/contract/vocabulary.ts';
import { v4 as newId } from 'uuid';
import { api } from '../../app/api.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import type { Client } from '../../queries/clients.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { useIsMailOff } from '../../queries/service-readiness.ts';
import { type Recipient, recipientsQuery, type Report, reportPreviewQuery } from './queries.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { SEND_PDF } from '../../shared/without-mail.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';
import { Dialog, DialogActions } from '../../ui/overlays/dialog.tsx';
import { joinWords, plural } from '../../ui/text/format.ts';
import { formatMonth } from './months.ts';

/** Mails the report of a finished month by hand, after showing the mail and who gets it. */
export function SendReport({ report, clientStatus }: { report: Report; clientStatus: Client['status'] }) {
  const [isOpen, setOpen] = useState(false);
  const refusal = useRefusal('clients.manage');
  const month = formatMonth(report.month, 'en-GB');
  const reason =
    refusal ??
    (mayClientRunAgents(clientStatus) ? undefined : `Nothing is sent while the client is ${clientStatus}.`) ??
    (report.isFinished ? undefined : `${month} is not over. Its report can be sent from the first day of the next month.`);
  return (
    <>
      <Button icon={<Mail aria-hidden />} onClick={() => setOpen(true)} {...(reason === undefined ? {} : { disabledReason: reason })}>
        Preview and send
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={`Send the report of ${month}`} wide>
        <SendForm report={report} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function SendForm({ report: { client, month }, onClose }: { report: Report; onClose: () => void }) {
  const user = useUser();
  const isMailOff = useIsMailOff();
  const mailed = useMailed();
  const preview = useQuery(reportPreviewQuery(client.id, month));
  const recipients = useQuery(recipientsQuery(client.id));
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  // One key per opened dialog, so a retried send stays one send.
  const [key] = useState(() => newId());
  const people = (recipients.data ?? []).filter((one) => one.isSubscribed || !one.hasOptedOut);
  const picked = chosen ?? new Set(people.filter((one) => one.isSubscribed).map((one) => one.userId));
  const send = useMutation({
    mutationFn: () =>
      api.sendClientReport({ params: { id: client.id }, headers: { 'idempotency-key': key }, body: { month, userIds: [...picked] } }),
    onSuccess: ({ queued, skipped }) => {
      const sent = `${plural(queued, 'e-mail is', 'e-mails are')} on ${queued === 1 ? 'its' : 'their'} way.`;
      const left = skipped.length > 0 ? ` ${plural(skipped.length, 'person', 'people')} unsubscribed and got none.` : '';
      announce(mailed(`${sent}${left}`, `No e-mail was sent. ${SEND_PDF}`));
      void refreshAfter('reportMailed', client.id);
      onClose();
    },
    onError: (error) => announceError(error),
  });
  const isTooMany = picked.size > LIMITS.reportsPerSendMax;
  const again = people.filter((one) => picked.has(one.userId) && one.lastSentMonth === month);
  return (
    <>
      <Loaded query={preview} skeleton={<SkeletonBlock height={320} />}>
        {(mail) => <MailPreview subject={mail.subject} html={mail.html} />}
      </Loaded>
      <fieldset className="mt-4">
        <legend className="mb-1 font-medium">Who gets it</legend>
        <Loaded query={recipients}>
          {() => (
            <ul className="max-h-52 overflow-y-auto border-y border-line-soft">
              {people.map((one) => (
                <li key={one.userId} className="py-1.5">
                  <Checkbox
                    checked={picked.has(one.userId)}
                    onChange={(event) => setChosen(withOrWithout(picked, one.userId, event.target.checked))}
                    label={nameOf(one, user.id)}
                  />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </fieldset>
      {isMailOff ? (
        <div className="mt-3">
          <Note tone="warn">{SEND_PDF}</Note>
        </div>
      ) : null}
      {again.length > 0 && !isMailOff ? (
        <div className="mt-3">
          <Note tone="warn">{joinWords(again.map((one) => one.fullName || one.email))} got this report before, and will get it again.</Note>
        </div>
      ) : null}
      {isTooMany ? (
        <p role="alert" className="mt-2 text-bad">
          Choose {LIMITS.reportsPerSendMax} people at most.
        </p>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          inactive={picked.size === 0 || isTooMany}
          busy={send.isPending && 'Sending'}
          onClick={() => {
            if (picked.size > 0 && !isTooMany) send.mutate();
          }}
        >
          {picked.size === 0 ? 'Choose who gets it' : `Send to ${plural(picked.size, 'person', 'people')}`}
        </Button>
      </DialogActions>
    </>
  );
}

/** The mail in a frame of its own, which has no origin, runs none of the mail's scripts and opens links in no place. */
function MailPreview({ subject, html }: { subject: string; html: string }) {
  const id = useId();
  const frame = useRef<HTMLIFrameElement>(null);
  const show = (): void => frame.current?.contentWindow?.postMessage(html, '*');
  useEffect(show, [html]);
  return (
    <section className="mt-3 overflow-hidden rounded-lg border border-line" aria-labelledby={id}>
      <p id={id} className="border-b border-line-soft px-3 py-2">
        <span className="text-ink-3">Subject</span> <b className="font-medium">{subject}</b>
      </p>
      <iframe
        ref={frame}
        title="Preview of the e-mail"
        sandbox="allow-scripts"
        src="/mail-frame.html"
        onLoad={show}
        className="block h-80 w-full bg-white"
      />
    </section>
  );
}

function withOrWithout(ids: ReadonlySet<string>, id: string, isOn: boolean): ReadonlySet<string> {
  const next = new Set(ids);
  if (isOn) next.add(id);
  else next.delete(id);
  return next;
}

function nameOf(one: Recipient, ownId: string): string {
  const you = one.userId === ownId ? ' (you)' : '';
  return one.fullName ? `${one.fullName}${you}, ${one.email}` : `${one.email}${you}`;
}
