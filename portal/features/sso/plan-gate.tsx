import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';

/** What an agency sees whose plan has no single sign-on, and the way to one that has. */
export function PlanGate() {
  return (
    <EmptyState
      title="Your plan does not include single sign-on"
      actions={
        <Link to="/dashboard/usage" className={buttonClass('primary')}>
          Request a plan
        </Link>
      }
    >
      With it your team logs in through your own identity provider, by SAML 2.0 or OpenID Connect, and whoever leaves there leaves here.
    </EmptyState>
  );
}
