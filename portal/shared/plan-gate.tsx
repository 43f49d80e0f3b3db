import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/controls/button.tsx';
import { EmptyState } from '../ui/feedback/empty-state.tsx';

/** Features that a plan may leave out, and what an agency gets with each. */
const GATED = {
  chatbot: {
    name: 'chatbots',
    text: 'A chatbot answers visitors of a client’s website from the knowledge you give it, runs the client’s agents when a visitor wants a text or an appointment, and hands over to a person when it should.',
  },
  sso: {
    name: 'single sign-on',
    text: 'Single sign-on lets your team log in through your own identity provider with SAML 2.0 or OpenID Connect. Once you require it, people you remove there can no longer log in here; their open sessions end when they expire.',
  },
  domain: {
    name: 'a custom domain',
    text: 'With a domain such as portal.your-agency.com, your clients log in at your address, with your name and colours from the first moment. Links in their mail lead there too.',
  },
} as const;

/** Shown in place of a feature that the plan does not include, with a link to request one that does. */
export function PlanGate({ feature }: { feature: keyof typeof GATED }) {
  const { name, text } = GATED[feature];
  return (
    <EmptyState
      title={`Your plan does not include ${name}`}
      actions={
        <Link to="/dashboard/billing/plan" className={buttonClass('primary')}>
          Request a plan
        </Link>
      }
    >
      {text}
    </EmptyState>
  );
}
