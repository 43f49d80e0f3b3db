import type { EventType } from '@partner-portal/contract/vocabulary.ts';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { type Json, JsonViewer } from '../../ui/text/json-viewer.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { type EventCatalogue as Catalogue, eventCatalogueQuery } from '../../queries/event-catalogue.ts';
import { useRowNavigation } from '../../ui/keyboard/use-row-navigation.ts';
import { useLoaded } from '../../app/route-data.ts';
import { WIDER_THAN_TABLET } from '../../ui/hooks/use-media-query.ts';

type EventEntry = Catalogue['types'][number];

/** Every event with its trigger, a full sample and its data schema. */
export function EventCatalogue({ chosen }: { chosen: EventType | undefined }) {
  const data = useLoaded(eventCatalogueQuery);
  const list = useRef<HTMLUListElement>(null);
  useRowNavigation(list, 'a');
  const shown = data.types.find(({ type }) => type === chosen) ?? data.types[0];
  return (
    <>
      <p className="mb-4 max-w-prose text-ink-2">
        Each event is a POST with a JSON body <code>{'{ id, type, createdAt, data }'}</code>, its type in{' '}
        <code>{data.verification.eventHeader}</code> and its signature in <code>{data.verification.signatureHeader}</code>. An endpoint gets
        all events unless you choose some for it.
      </p>
      <div className="grid items-start gap-x-8 gap-y-5 rail:grid-cols-[minmax(0,340px)_minmax(0,1fr)]">
        <ul ref={list} className="border-t border-line" aria-label="Events">
          {data.types.map((entry) => (
            <li key={entry.type} className="border-b border-line-soft">
              <Link
                to="/dashboard/developer"
                search={{ tab: 'events', event: entry.type }}
                replace
                resetScroll={false}
                aria-current={entry.type === shown?.type ? 'true' : undefined}
                className="block px-3 py-2 hover:bg-hover [&[aria-current]]:bg-accent-wash [&[aria-current]]:shadow-[inset_2px_0_0_var(--color-accent-mark)]"
              >
                <code className="font-medium">{entry.type}</code>
                <span className="block text-xs text-ink-3">{entry.when}</span>
              </Link>
            </li>
          ))}
        </ul>
        {shown ? <Entry key={shown.type} entry={shown} isChosen={chosen !== undefined} /> : null}
      </div>
    </>
  );
}

function Entry({ entry, isChosen }: { entry: EventEntry; isChosen: boolean }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // In the one-column layout the detail opens below the list, out of view.
    if (isChosen && !matchMedia(WIDER_THAN_TABLET).matches) section.current?.scrollIntoView();
  }, [isChosen]);
  const [side, setSide] = useState<'sample' | 'schema'>('sample');
  const name = (
    <Segmented
      label="Sample or schema"
      value={side}
      onChange={setSide}
      options={[
        { value: 'sample', label: 'Sample' },
        { value: 'schema', label: 'Schema of data' },
      ]}
    />
  );
  // Both are JSON from the service.
  const value = (side === 'sample' ? entry.sample : entry.dataSchema) as Json;
  return (
    <section ref={section} aria-label={entry.type} className="min-w-0">
      <h2 className="mb-1 text-base">
        <code className="text-sm">{entry.type}</code>
      </h2>
      <p className="mb-3 max-w-prose text-ink-2">{entry.when}</p>
      <JsonViewer key={side} name={name} value={value} />
    </section>
  );
}
