import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';

/** Shown if the plan does not include chatbots, with a link to request one that does. */
export function PlanGate() {
  return (
    <EmptyState
      title="Your plan does not include chatbots"
      actions={
        <Link to="/dashboard/billing/plan" className={buttonClass('primary')}>
          Request a plan
        </Link>
      }
    >
      A chatbot answers visitors of a client’s website from the knowledge you give it, runs the client’s agents when a visitor wants a text
      or an appointment, and hands over to a person when it should.
    </EmptyState>
  );
}
