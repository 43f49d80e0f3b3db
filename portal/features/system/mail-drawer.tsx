import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw, Send } from 'lucide-react';
import { api, type Reply } from '../../app/api.ts';
import { formatToMinute } from '../../ui/text/format.ts';
import { Status } from '../../ui/feedback/badge.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SkeletonBlock } from '../../ui/feedback/skeleton.tsx';
import { Time } from '../../ui/text/time.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { announceError } from '../../shared/announce-error.ts';
import { explainMailError, MAIL_KIND, MAIL_STATUS } from './mail-labels.ts';
import { mailQuery } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import '../../ui/layout/panel.css';

type Detail = Reply<'getMail'>;

/** One e-mail: delivery status, and its text if staff must forward it. */
export function MailDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const mail = useQuery(mailQuery(id));
  return (
    <Drawer open onClose={onClose} title={mail.data?.subject ?? 'Mail'} meta={mail.data ? `To ${mail.data.to}` : '\u00a0'}>
      <Loaded query={mail} skeleton={<SkeletonBlock height={240} />}>
        {(data) => <Content mail={data} />}
      </Loaded>
    </Drawer>
  );
}

function Content({ mail }: { mail: Detail }) {
  const { mark, word } = MAIL_STATUS[mail.status];
  return (
    <div className="grid grid-cols-1 gap-5">
      {mail.heldFor ? <Held mail={mail} heldFor={mail.heldFor} /> : null}
      {mail.lastError && mail.status !== 'sent' && mail.status !== 'held' ? <Trouble mail={mail} lastError={mail.lastError} /> : null}
      <KeyValues
        rows={[
          [
            'State',
            <Status key="s" mark={mark}>
              {word}
            </Status>,
          ],
          ['Kind', MAIL_KIND[mail.kind]],
          ['Agency', mail.partnerName],
          ['Written', <Time key="c" iso={mail.createdAt} style="long" />],
          mail.sentAt ? ['Sent', <Time key="t" iso={mail.sentAt} style="long" />] : undefined,
          mail.nextTryAt ? ['Next try', <Time key="n" iso={mail.nextTryAt} style="long" />] : undefined,
          mail.attempts > 0 ? ['Tries', mail.attempts] : undefined,
        ]}
      />
      {mail.links.map((link) => (
        <CodeBlock key={link} name="Link" code={link} />
      ))}
      {mail.text === null ? <p className="text-ink-3">{whyNoText(mail)}</p> : <Words mail={mail} text={mail.text} />}
    </div>
  );
}

function Words({ mail, text }: { mail: Detail; text: string }) {
  return (
    <section className="panel">
      <header className="border-b border-line-soft px-4 py-3">
        <h3 className="text-base">{mail.subject}</h3>
        {mail.readableUntil ? <p className="text-xs text-ink-3">Readable until {formatToMinute(mail.readableUntil)}</p> : null}
      </header>
      <p className="px-4 py-4 whitespace-pre-wrap">{text}</p>
    </section>
  );
}

function whyNoText({ status }: Detail): string {
  switch (status) {
    case 'sent':
      return 'The text was erased when the e-mail was sent.';
    case 'cancelled':
      return 'The e-mail was cancelled and its text erased: its link was replaced or used, its invoice is paid or void, its reader was removed, disabled or switched it off, or its visitor waits no longer.';
    case 'not_configured':
      return 'The text was erased, or a mail server is configured now.';
    case 'queued':
    case 'held':
    case 'failed':
      return 'The text is sealed. It is shown only if no mail server is configured.';
  }
}

const HELD: Record<NonNullable<Detail['heldFor']>, string> = {
  cap: 'It waits: too many mails went to new addresses within that hour.',
  name: 'It waits until the name of its sender is approved in the work queue.',
};

/** Why an e-mail to a new address waits, and the way to send it alone. */
function Held({ mail, heldFor }: { mail: Detail; heldFor: NonNullable<Detail['heldFor']> }) {
  const retry = useRetry(mail);
  return (
    <Note
      tone="warn"
      {...(mail.canRetry
        ? {
            action: (
              <Button size="sm" icon={<Send aria-hidden />} busy={retry.isPending && 'Queueing'} onClick={() => retry.mutate()}>
                Send now
              </Button>
            ),
          }
        : {})}
    >
      <p>
        <b>{HELD[heldFor]}</b>
      </p>
    </Note>
  );
}

function useRetry(mail: Detail) {
  return useMutation({
    mutationFn: () => api.retryMail({ params: { id: mail.id } }),
    onSuccess: () => {
      announce('E-mail queued.');
      void refreshAfter('mailRetried');
    },
    onError: (error) => announceError(error),
  });
}

function Trouble({ mail, lastError }: { mail: Detail; lastError: string }) {
  const retry = useRetry(mail);
  return (
    <Note
      tone={mail.status === 'failed' ? 'bad' : 'warn'}
      {...(mail.canRetry
        ? {
            action: (
              <Button size="sm" icon={<RotateCw aria-hidden />} busy={retry.isPending && 'Queueing'} onClick={() => retry.mutate()}>
                Send again
              </Button>
            ),
          }
        : {})}
    >
      <p>
        <b>{explainMailError(lastError)}</b>
      </p>
      {mail.lastAnswer ? <p className="text-ink-2">It said: “{mail.lastAnswer}”</p> : null}
    </Note>
  );
}
