import { Link } from '@tanstack/react-router';
import { type Asked, askFor } from '../../app/asked.ts';
import type { Onboarding } from './queries.ts';

/** Steps that are a form of the page they lead to. */
const FORMS: Partial<Record<Onboarding['items'][number]['key'], Asked>> = { client: 'client', team: 'invitation' };

type Props = { step: Onboarding['items'][number]['key']; href: string; action: string; className: string };

/** Leads to the page of a step, with its form open where the reader may fill it in. */
export function StepLink({ step, href, action, className }: Props) {
  const form = FORMS[step];
  return (
    <Link to={href} className={className} onClick={(event) => form && !event.metaKey && !event.ctrlKey && !event.shiftKey && askFor(form)}>
      {action}
    </Link>
  );
}
