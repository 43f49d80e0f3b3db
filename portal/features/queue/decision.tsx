import { Check } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useRefusal } from '../../app/current-user.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import type { WorkItem } from '../../queries/work-queue.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { useKeys } from '../../ui/keyboard/key-bindings.ts';
import { Kbd } from '../../ui/layout/layout.tsx';
import { useOpenItem } from './open-item.ts';
import { ActionRow } from './owner.tsx';

export type Decision = {
  /** Which dialog is open. */
  confirming: 'approve' | 'reject' | undefined;
  /** Returns what opens a dialog; it does nothing for a decided request or a user who may not decide. */
  ask: (act: 'approve' | 'reject') => () => void;
  close: () => void;
  /** Closes the dialog after it has decided. */
  saved: () => void;
  refusal: string | undefined;
};

/** State and keys of a decision: A approves, R rejects. */
export function useDecision(isPending: boolean): Decision {
  const [confirming, setConfirming] = useState<'approve' | 'reject'>();
  const refusal = useRefusal('partners.manage');
  const { isSettled, onDecided } = useOpenItem();
  const ask = (act: 'approve' | 'reject') => (): void => {
    if (!refusal && isPending && !isSettled) setConfirming(act);
  };
  useKeys([
    { keys: 'a', label: 'Approve', group: 'This page', run: ask('approve') },
    { keys: 'r', label: 'Reject', group: 'This page', run: ask('reject') },
  ]);
  const close = (): void => {
    setConfirming(undefined);
    // What the dialog was refused for may have settled the item.
    void refreshAfter('workItemConflict');
  };
  const saved = (): void => {
    setConfirming(undefined);
    onDecided();
  };
  return { confirming, ask, close, saved, refusal };
}

type ActionsProps = {
  item: WorkItem;
  isPending: boolean;
  decision: Pick<Decision, 'ask' | 'refusal'>;
  /** Follows the note about a decision of someone else: "It is approved." */
  outcome?: string;
};

/** The buttons of a decision, or that it has been made. */
export function DecisionActions({ item, isPending, decision: { ask, refusal }, outcome }: ActionsProps) {
  const { isSettled } = useOpenItem();
  return (
    <>
      <ActionRow item={item}>
        {isPending && !isSettled ? (
          <>
            <Button kind="primary" icon={<Check aria-hidden />} disabledReason={refusal} onClick={ask('approve')}>
              Approve <Kbd>A</Kbd>
            </Button>
            <Button disabledReason={refusal} onClick={ask('reject')}>
              Reject with a note <Kbd>R</Kbd>
            </Button>
          </>
        ) : null}
      </ActionRow>
      {isPending || isSettled ? null : (
        <Note tone="warn">
          <b>Someone else has already decided this.</b>
          {outcome ? ` ${outcome}` : null}
        </Note>
      )}
    </>
  );
}

/** The details of a request, as `Fact` pairs. */
export function FactList({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <>
      <h3 className="border-b border-line pb-2 text-sm">{heading}</h3>
      <dl className="tabular-nums mb-5 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 py-2 leading-7.5">{children}</dl>
    </>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-ink-3">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** What the requester wrote. */
export function QuotedText({ heading, children }: { heading: string; children: string }) {
  return (
    <>
      <h3 className="mb-2 text-sm">{heading}</h3>
      <blockquote className="max-w-140 border-l-2 border-line py-0.5 pl-3.5 text-base whitespace-pre-wrap text-ink-2 text-pretty">
        {children}
      </blockquote>
    </>
  );
}
