import { useQuery } from '@tanstack/react-query';
import type { Reply } from '../../app/api.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { affectedQuery } from './queries.ts';

type Person = Reply<'listSsoAffected'>['people'][number];

/** Names the people who would lose their way in: certainly, or perhaps. */
export function AffectedPeople() {
  const { data, error, refetch } = useQuery(affectedQuery);
  if (error) return <ErrorBlock error={error} onRetry={() => void refetch()} />;
  if (!data) return <p className="mb-2 text-ink-2">Looking up who is affected…</p>;
  const outside = data.people.filter(({ reason }) => reason === 'outside_domains');
  const unproven = data.people.filter(({ reason }) => reason === 'not_logged_in');
  if (data.people.length === 0) return <p className="mb-2">Every member of your team has logged in through your provider.</p>;
  return (
    <>
      <People title="They lose their way in: their addresses are outside the domains." people={outside} />
      <People title="They have not logged in through your provider yet. Make sure that it knows them:" people={unproven} />
    </>
  );
}

function People({ title, people }: { title: string; people: readonly Person[] }) {
  if (people.length === 0) return null;
  return (
    <div className="mb-2">
      <p className="font-medium">{title}</p>
      <ul className="max-h-40 overflow-y-auto" tabIndex={people.length > 6 ? 0 : undefined} aria-label={title}>
        {people.map(({ id, fullName, email, kind }) => (
          <li key={id} className="break-all">
            {fullName ? `${fullName}, ` : ''}
            {email}
            {kind === 'invited' ? ' (invited)' : ''}
          </li>
        ))}
      </ul>
    </div>
  );
}
