import { useMutation } from '@tanstack/react-query';
import { ChevronDown, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useRefusal } from '../../app/current-user.ts';
import { useUser } from '../../app/session.ts';
import type { Summary } from '../../queries/agency.ts';
import { setDismissed } from './queries.ts';
import { announceError } from '../../shared/announce-error.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Mark } from '../../ui/feedback/mark.tsx';
import { announce } from '../../ui/feedback/toast.tsx';
import { plural } from '../../ui/text/format.ts';
import { StepLink } from './step-link.tsx';
import './checklist.css';

type Items = Summary['checklist'];
type Step = Items[number]['key'] | 'all';

/**
 * First steps of the agency, ticked from its data. Hidden for the agency once an admin hides them or all are done, and for moderators, who
 * can take none of them.
 */
export function Checklist({ items, dismissedAt }: { items: Items; dismissedAt: string | null }) {
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const refusal = useRefusal('agency.manage');
  const isModerator = useUser().partnerRole === 'moderator';
  const hide = useMutation({
    mutationFn: ({ step, isHidden }: { step: Step; isHidden: boolean }) => setDismissed(step, isHidden),
    onError: (error) => announceError(error),
  });
  const dismiss = (step: Step, done: string): void =>
    hide.mutate({ step, isHidden: true }, { onSuccess: () => announce(done, { undo: () => hide.mutate({ step, isHidden: false }) }) });
  const shown = items.filter((item) => item.done || item.dismissedAt === null);
  const left = shown.filter((item) => !item.done);
  const [next] = left;
  // The quickest way to see what an agent does: it needs neither a client nor a key.
  const sample = left.find((item) => item.key === 'sample' && item !== next);
  if (dismissedAt !== null || !next || isModerator) return null;
  return (
    <section className="checklist" aria-label="First steps">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex gap-0.75" aria-hidden>
          {shown.map((item) => (
            <i key={item.key} className="checklist-tick" data-done={item.done ? '' : undefined} />
          ))}
        </span>
        <p className="min-w-0 flex-[1_1_13rem]">
          <b>{plural(left.length, 'step')} left.</b> {isOpen ? null : <span className="text-ink-2">{next.label}.</span>}
        </p>
        {isOpen ? null : (
          <>
            <StepLink step={next.key} href={next.href} action={next.action} className="link" />
            {sample ? <StepLink step={sample.key} href={sample.href} action={sample.label} className="link" /> : null}
          </>
        )}
        <Button
          size="sm"
          kind="quiet"
          icon={<ChevronDown aria-hidden className="checklist-arrow" />}
          aria-expanded={isOpen}
          aria-controls={list}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'All steps'}
        </Button>
        <IconButton
          size="sm"
          label="Hide the checklist"
          disabledReason={refusal}
          onClick={() => dismiss('all', 'The first steps are hidden for your agency.')}
        >
          <X aria-hidden />
        </IconButton>
      </div>
      <ul id={list} hidden={!isOpen}>
        {shown.map((item) => (
          <li key={item.key} data-done={item.done ? '' : undefined}>
            <Mark kind={item.done ? 'ok' : 'none'} label={item.done ? 'Done' : 'Open'} />
            <span className="min-w-0 flex-1">{item.label}</span>
            {item.done ? null : (
              <>
                <StepLink step={item.key} href={item.href} action={item.action} className="link" />
                <IconButton
                  size="sm"
                  label={`Hide: ${item.label}`}
                  disabledReason={refusal}
                  onClick={() => dismiss(item.key, 'The step is hidden for your agency.')}
                >
                  <X aria-hidden />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
