import { Link } from '@tanstack/react-router';
import { createContext, type ReactNode, useContext } from 'react';
import type { InboxSearch } from '../../queries/inbox.ts';

/** The portal that shows the inbox: the agency's or a client's. */
export type Area = 'dashboard' | 'client';

const AreaContext = createContext<Area>('dashboard');
export const AreaProvider = AreaContext.Provider;

export function useArea(): Area {
  return useContext(AreaContext);
}

type LinkProps = {
  id: string;
  search: InboxSearch;
  className?: string;
  children: ReactNode;
  isUnread: boolean;
};

/** Opens a conversation; the filters of the list stay in the address. */
export function ConversationLink({ id, search, className, children, isUnread }: LinkProps) {
  const shared = { className, 'data-conversation': id, 'data-unread': isUnread ? '' : undefined, resetScroll: false };
  return useArea() === 'dashboard' ? (
    <Link to="/dashboard/inbox/$conversationId" params={{ conversationId: id }} search={search} {...shared}>
      {children}
    </Link>
  ) : (
    <Link to="/client/inbox/$conversationId" params={{ conversationId: id }} search={search} {...shared}>
      {children}
    </Link>
  );
}

/** Leads to the run of an agent: agencies have a page for each run, clients one for each agent. */
export function RunLink({ workflowId, executionId, children }: { workflowId: string; executionId: string | null; children: ReactNode }) {
  if (useArea() === 'client')
    return (
      <Link to="/client/agents/$id" params={{ id: workflowId }} className="link">
        {children}
      </Link>
    );
  if (executionId === null) return <span>{children}</span>;
  return (
    <Link to="/dashboard/runs/$id" params={{ id: executionId }} className="link">
      {children}
    </Link>
  );
}
