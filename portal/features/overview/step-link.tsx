import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { Asked } from '../../app/asked.ts';
import { useRefusal } from '../../app/current-user.ts';
import { useAskOn } from '../../app/use-ask-on.ts';
import type { Onboarding } from './queries.ts';

/** Steps that are a form of the page they lead to. */
const FORMS: Partial<Record<Onboarding['items'][number]['key'], Asked>> = { client: 'client', team: 'invitation' };

type Props = { step: Onboarding['items'][number]['key']; href: string; action: string; className: string };

/** Leads to the page of a step, with its form open. */
export function StepLink({ step, href, action, className }: Props) {
  const askOn = useAskOn();
  const refusals = { client: useRefusal('clients.create'), invitation: useRefusal('invitations.manage'), request: undefined };
  const form = FORMS[step];
  const open = (event: MouseEvent): void => {
    const isNewTab = event.metaKey || event.ctrlKey || event.shiftKey;
    if (isNewTab || form === undefined || refusals[form] !== undefined) return;
    event.preventDefault();
    askOn(form);
  };
  return (
    <Link to={href} className={className} onClick={open}>
      {action}
    </Link>
  );
}
