import { useUiText } from '../../ui/text/reader.ts';
import { type ReactNode, use, useEffect, useRef } from 'react';
import { useSession } from '../../app/session.ts';
import { ErrorBlock } from '../error-block.tsx';
import { LeaveGuardContext } from './leave-guard-context.ts';
import type { FormState } from './use-form.ts';

type Props = {
  form: Pick<FormState<object>, 'errors' | 'error' | 'refusals' | 'isBusy' | 'submit' | 'clearErrors' | 'isAtRisk'>;
  /** Reloads the record, for one that changed meanwhile. */
  onReload?: () => void;
  /** Shows the errors somewhere else, or only next to the fields. */
  hasSummary?: boolean;
  /** Whether the tabs of the page share what is typed. */
  outlivesTabs?: boolean;
  id?: string;
  className?: string;
  children: ReactNode;
};

/**
 * A form without the browser's validation bubbles: a summary on top, errors next to the fields, focus on the first invalid field. Someone who is
 * logged in is asked before leaving loses input.
 */
export function Form({ form, onReload, hasSummary = true, outlivesTabs = false, id, className = 'grid gap-5', children }: Props) {
  const session = useSession();
  const LeaveGuard = use(LeaveGuardContext);
  const ref = useRef<HTMLFormElement>(null);
  const focused = useRef(0);
  useEffect(() => {
    // While busy a field may be disabled, and a disabled field takes no focus.
    if (form.isBusy || focused.current === form.refusals) return;
    focused.current = form.refusals;
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [form.refusals, form.isBusy]);
  return (
    // A server-rendered form must send nothing before its script runs: the default method would put the input into the address.
    <form ref={ref} id={id} method="dialog" noValidate onSubmit={form.submit} className={className}>
      {hasSummary ? <FormErrors form={form} {...(onReload ? { onReload } : {})} /> : null}
      {children}
      {session && LeaveGuard ? <LeaveGuard isAtRisk={form.isAtRisk} outlivesTabs={outlivesTabs} /> : null}
    </form>
  );
}

/** The number of fields that need attention, or the reason why the save failed as a whole. */
export function FormErrors({ form, onReload }: Pick<Props, 'form' | 'onReload'>) {
  const t = useUiText();
  const count = Object.keys(form.errors).length;
  if (count > 0) {
    return (
      <p role="alert" className="text-bad">
        {count === 1 ? t('ui.oneField') : t('ui.manyFields', { count })}
      </p>
    );
  }
  if (!form.error) return null;
  if (!onReload) return <ErrorBlock error={form.error} />;
  const reload = (): void => {
    form.clearErrors();
    onReload();
  };
  return <ErrorBlock error={form.error} onRetry={reload} />;
}
