import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsViewing } from '../../app/current-user.ts';
import type { DeletionRequest, ReactivationRequest } from '../../queries/account.ts';
import { Drawer } from '../../ui/overlays/drawer.tsx';
import { KeyValues } from '../../ui/layout/layout.tsx';
import { formatToMinute } from '../../ui/text/format.ts';
import { DecideDeletion } from './decide-deletion.tsx';
import { DecideReactivation } from './decide-reactivation.tsx';
import { PurgeSteps } from './purge-steps.tsx';
import { Quote } from './quote.tsx';
import { DELETION_STATUS, nameOf, REACTIVATION_STATUS } from './words.ts';

/** One deletion request next to the list, with its decision, and its purge once that is due. */
export function DeletionDrawer({ request, onClose }: { request: DeletionRequest; onClose: () => void }) {
  const { status, purgeAfter, completedAt } = request;
  const isDue = status === 'completed' || (status === 'approved' && purgeAfter !== null && Date.parse(purgeAfter) <= Date.now());
  return (
    <RequestDrawer
      title={`Deletion of ${request.accountName || 'an account'}`}
      word={DELETION_STATUS[status].word}
      request={request}
      heading="Reason"
      text={request.reason}
      facts={[
        purgeAfter && status === 'approved' ? ['Removal', formatToMinute(purgeAfter)] : undefined,
        completedAt ? ['Removed', formatToMinute(completedAt)] : undefined,
      ]}
      actions={status === 'pending' ? <DecideDeletion request={request} /> : undefined}
      onClose={onClose}
    >
      {isDue ? <PurgeSteps requestId={request.id} /> : null}
    </RequestDrawer>
  );
}

/** One reactivation request next to the list, with its decision. */
export function ReactivationDrawer({ request, onClose }: { request: ReactivationRequest; onClose: () => void }) {
  return (
    <RequestDrawer
      title={`Reactivation of ${request.accountName}`}
      word={REACTIVATION_STATUS[request.status].word}
      request={request}
      heading="Message"
      text={request.message}
      actions={request.status === 'pending' ? <DecideReactivation request={request} /> : undefined}
      onClose={onClose}
    />
  );
}

type Props = {
  title: string;
  word: string;
  request: DeletionRequest | ReactivationRequest;
  /** The reason or message, under its heading. */
  text: string;
  heading: 'Reason' | 'Message';
  facts?: readonly (readonly [string, string] | undefined)[];
  actions: ReactNode;
  children?: ReactNode;
  onClose: () => void;
};

function RequestDrawer({ title, word, request, text, heading, facts = [], actions, children, onClose }: Props) {
  const isViewing = useIsViewing();
  const { scope, partnerId, partnerName, requestedBy, decidedBy, decidedAt, decisionNote, createdAt } = request;
  return (
    <Drawer open onClose={onClose} title={title} meta={word}>
      <div className="grid grid-cols-1 gap-5">
        {actions && !isViewing ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
        <KeyValues
          rows={[
            [
              scope === 'partner' ? 'Agency' : 'Client of',
              <Link key="p" className="link" to="/admin/partners/$partnerId" params={{ partnerId }}>
                {partnerName || 'Deleted agency'}
              </Link>,
            ],
            ['Requested by', nameOf(requestedBy, 'Removed user')],
            requestedBy?.email ? ['E-mail', requestedBy.email] : undefined,
            ['Requested', formatToMinute(createdAt)],
            decidedAt ? ['Decided', `${formatToMinute(decidedAt)}${decidedBy ? `, by ${nameOf(decidedBy)}` : ''}`] : undefined,
            ...facts,
          ]}
        />
        {text ? (
          <section>
            <h3 className="text-sm">{heading}</h3>
            <Quote text={text} />
          </section>
        ) : null}
        {decisionNote ? (
          <section>
            <h3 className="text-sm">Note of the decision</h3>
            <Quote text={decisionNote} />
          </section>
        ) : null}
        {children}
      </div>
    </Drawer>
  );
}
