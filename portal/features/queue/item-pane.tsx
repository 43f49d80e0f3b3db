import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatToMinute } from '../../ui/text/format.ts';
import type { WorkItem } from '../../queries/work-queue.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { Approved } from './approve-dialog.tsx';
import { Kbd } from '../../ui/layout/layout.tsx';
import { KINDS } from './item.ts';
import { DeletionPane, ReactivationPane } from './account-request-pane.tsx';
import { Fact, FactList } from './decision.tsx';
import { NameReviewPane } from './name-review-pane.tsx';
import { type OpenItem, useOpenItem } from './open-item.ts';
import { ActionRow, OwnerActions } from './owner.tsx';
import { PlanRequestPane } from './plan-request-pane.tsx';

/** An agent request of the queue, and the agency that made it. */
export type RequestItem = OpenItem & { id: string; partnerId: string };

/** `isChosen`: staff opened the item; otherwise it is only shown because it is the first. */
type Props = {
  item: WorkItem;
  isChosen: boolean;
  agentRequest: (request: RequestItem, owner: ReactNode) => ReactNode;
  onApproved: (answer: Approved) => void;
};

/** One work queue item with its details and actions. */
export function ItemPane(props: Props) {
  const { item } = props;
  const open = useOpenItem();
  return (
    <div className="max-w-190">
      <header className="mb-4">
        <p className="tabular-nums text-xs text-ink-3">
          {KINDS[item.kind].word}, since {formatToMinute(item.since)}
        </p>
        <h2 className="text-xl tracking-title text-pretty">{item.title}</h2>
      </header>
      {open.isSettled ? (
        <Note tone="warn">
          <p role="status">
            <b>This item left the queue: it is settled, or its agency is suspended.</b> Choose another one from the list, or with{' '}
            <Kbd>J</Kbd>.
          </p>
        </Note>
      ) : null}
      {paneOf(props, open)}
    </div>
  );
}

function paneOf({ item, isChosen, agentRequest, onApproved }: Props, open: OpenItem): ReactNode {
  switch (item.kind) {
    case 'application':
    case 'plan_request':
      return <PlanRequestPane item={item} isChosen={isChosen} onApproved={onApproved} />;
    case 'agent_request':
      return item.partnerId === null
        ? null
        : agentRequest({ id: item.itemId, partnerId: item.partnerId, ...open }, <OwnerActions item={item} />);
    case 'name_review':
      return <NameReviewPane item={item} />;
    case 'deletion_request':
      return <DeletionPane item={item} />;
    case 'reactivation_request':
      return <ReactivationPane item={item} />;
    case 'failed_setup':
    case 'stuck_attempt':
      return <SetupPane item={item} />;
    case 'drift':
      return <DriftPane item={item} />;
  }
}

/** The action of an item that is settled on the automation page of its agency. */
function AutomationLink({ item, children }: { item: WorkItem; children: string }) {
  return (
    <ActionRow item={item}>
      {item.partnerId ? (
        <Link to="/admin/partners/$partnerId/automation" params={{ partnerId: item.partnerId }} className={buttonClass('primary')}>
          {children}
        </Link>
      ) : null}
    </ActionRow>
  );
}

/** A setup that failed or takes long. */
function SetupPane({ item }: { item: WorkItem }) {
  const isStuck = item.kind === 'stuck_attempt';
  return (
    <>
      <AutomationLink item={item}>{isStuck ? 'View steps' : 'View steps and repair'}</AutomationLink>
      <Note tone={isStuck ? 'warn' : 'bad'}>
        <p>
          <b>{isStuck ? 'This setup has been running for long.' : 'Message shown to the agency:'}</b>{' '}
          {item.detail || 'None: the attempt ended without an error message.'}
        </p>
      </Note>
    </>
  );
}

/** Agents whose flow someone has changed, switched off or deleted in the engine. */
function DriftPane({ item }: { item: WorkItem }) {
  return (
    <>
      <AutomationLink item={item}>View agents and repair</AutomationLink>
      <FactList heading="Comparison with the engine">
        {item.partnerId ? (
          <Fact label="Agency">
            <Link to="/admin/partners/$partnerId" params={{ partnerId: item.partnerId }} className="link">
              {item.partnerName}
            </Link>
          </Fact>
        ) : null}
        <Fact label="First found">{formatToMinute(item.since)}</Fact>
        <Fact label="Agents">
          <ul>
            {item.detail.split('\n').map((line, index) => (
              <li key={index} className="py-1.25 leading-5">
                {line}
              </li>
            ))}
          </ul>
        </Fact>
      </FactList>
      <p className="max-w-140 text-ink-2 text-pretty">
        A repair puts every flow back as its template has it. This item leaves the list when a repair or a comparison finds all flows in
        order.
      </p>
    </>
  );
}
