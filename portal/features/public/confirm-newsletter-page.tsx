import { CONFIRM_DAYS } from '@partner-portal/core/newsletter/newsletter.ts';
import { NEWSLETTER_CONSENT } from '@partner-portal/contract/newsletter-consent.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../app/api.ts';
import { codeOf } from '../../app/errors.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { useMailed } from '../../shared/mailed.ts';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { SimplePage } from './simple-page.tsx';

/** Confirms a subscription by one button, and not by being opened: programs open the links of mails (docs/adr/0037-one-click.md). */
export function ConfirmSubscriptionPage({ token }: { token: string }) {
  const head = useRef<HTMLHeadingElement>(null);
  const mailed = useMailed();
  const confirm = useMutation({ mutationFn: () => api.confirmNewsletter({ query: { token } }) });
  const isInvalid = token === '' || codeOf(confirm.error) === 'not_found';
  useEffect(() => {
    if (confirm.isSuccess || isInvalid) head.current?.focus();
  }, [confirm.isSuccess, isInvalid]);
  const title = isInvalid ? 'This link does not work' : confirm.isSuccess ? 'You are subscribed' : 'Confirm your subscription';
  return (
    <SimplePage title={title}>
      <h1 ref={head} tabIndex={-1} className="text-2xl tracking-figure outline-0 md:text-3xl">
        {title}
      </h1>
      {isInvalid ? (
        <>
          <p className="mt-3 mb-6 max-w-[58ch] text-ink-2">
            It is incomplete, older than {CONFIRM_DAYS} days, or its subscription has ended.
          </p>
          <a href="/#newsletter" className={buttonClass('primary', 'lg')}>
            Subscribe again
          </a>
        </>
      ) : confirm.isSuccess ? (
        <p className="mt-3 max-w-[58ch] text-ink-2">
          {mailed('We sent you an e-mail with a link that ends the subscription at any time.')}
        </p>
      ) : (
        <>
          <p className="mt-3 mb-6 max-w-[58ch] text-ink-2">{NEWSLETTER_CONSENT.text}</p>
          {confirm.error ? (
            <div className="mb-5">
              <ErrorBlock error={confirm.error} />
            </div>
          ) : null}
          <Button kind="primary" size="lg" busy={confirm.isPending && 'Confirming'} onClick={() => confirm.mutate()}>
            Confirm subscription
          </Button>
        </>
      )}
    </SimplePage>
  );
}
