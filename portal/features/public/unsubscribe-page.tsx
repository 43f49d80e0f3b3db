import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../app/api.ts';
import { codeOf } from '../../app/errors.ts';
import { useMessages } from '../../app/messages.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import type { MailList } from './mail-lists.ts';
import { useTitle } from '../../ui/hooks/use-title.ts';

/** What a link ends, and the call of its button. */
const LISTS = {
  notifications: { text: 'unsubscribe.notifications', stop: (token: string) => api.unsubscribe({ query: { token }, body: {} }) },
  digest: { text: 'unsubscribe.digest', stop: (token: string) => api.unsubscribe({ query: { token }, body: {} }) },
  report: { text: 'unsubscribe.report', stop: (token: string) => api.unsubscribeReport({ query: { token }, body: {} }) },
  newsletter: { text: 'unsubscribe.newsletter', stop: (token: string) => api.unsubscribeFromNewsletter({ body: { token } }) },
} as const satisfies Record<MailList, { text: string; stop: (token: string) => Promise<unknown> }>;

/**
 * Ends mails by one button. It does nothing by itself, because programs open the links of mails (docs/adr/0037-one-click.md), and names no
 * one: it is reached from mails in the name of an agency. `isLater`: the service could not take the link just now, which may be right.
 */
export function UnsubscribePage({ list, token, isLater }: { list: MailList | undefined; token: string; isLater: boolean }) {
  const { t } = useMessages();
  const head = useRef<HTMLHeadingElement>(null);
  const stop = useMutation({ mutationFn: async (): Promise<unknown> => (list ? LISTS[list].stop(token) : undefined) });
  const isInvalid = isLater || list === undefined || token === '' || codeOf(stop.error) === 'not_found';
  const title = isLater
    ? 'unsubscribe.notOpened'
    : isInvalid
      ? 'unsubscribe.invalid'
      : stop.isSuccess
        ? 'unsubscribe.done'
        : 'unsubscribe.title';
  useTitle(t(title), t('unsubscribe.stop'));
  useEffect(() => {
    // The button is gone; what replaced it is read out.
    if (stop.isSuccess || stop.isError) head.current?.focus();
  }, [stop.isSuccess, stop.isError]);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-140 flex-col justify-center px-5 py-12 text-base">
      <h1 ref={head} tabIndex={-1} className="flex items-start gap-3 text-2xl tracking-figure text-balance outline-0">
        {stop.isSuccess ? <Mark kind="ok" className="mt-2 !size-5" /> : null}
        <span>{t(title)}</span>
      </h1>
      {isInvalid ? (
        <p className="mt-3 text-ink-2">{t(isLater ? 'unsubscribe.later' : 'unsubscribe.incomplete')}</p>
      ) : stop.isSuccess ? (
        <p className="mt-3 text-ink-2">{t('unsubscribe.close')}</p>
      ) : (
        <>
          <p className="mt-3 mb-6 text-ink-2 text-pretty">{t(LISTS[list].text)}</p>
          {stop.isError ? (
            <p role="alert" className="mb-4 text-bad">
              {t('unsubscribe.failed')}
            </p>
          ) : null}
          <div>
            <Button kind="primary" size="lg" busy={stop.isPending && t('unsubscribe.stopping')} onClick={() => stop.mutate()}>
              {t('unsubscribe.stop')}
            </Button>
          </div>
        </>
      )}
    </main>
  );
}
