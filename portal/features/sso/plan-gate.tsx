import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';

/** Shown if the plan does not include SSO, with a link to request one that does. */
export function PlanGate() {
  return (
    <EmptyState
      title="Your plan does not include single sign-on"
      actions={
        <Link to="/dashboard/billing/plan" className={buttonClass('primary')}>
          Request a plan
        </Link>
      }
    >
      Single sign-on lets your team log in through your own identity provider with SAML 2.0 or OpenID Connect. Once you require it, people
      you remove there can no longer log in here; their open sessions end when they expire.
    </EmptyState>
  );
}
