import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { ErrorBlock } from './error-block.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { SkeletonBlock } from '../ui/feedback/skeleton.tsx';
import { eventCatalogueQuery } from '../queries/event-catalogue.ts';

/** Code that verifies a delivery's signature, in several languages. */
export function VerifySnippet() {
  const { data, error, refetch } = useQuery(eventCatalogueQuery);
  const [language, setLanguage] = useState('node');
  if (error) return <ErrorBlock error={error} onRetry={() => void refetch()} />;
  const snippets = data?.verification.snippets ?? [];
  const shown = snippets.find((snippet) => snippet.language === language) ?? snippets[0];
  if (!shown) return <SkeletonBlock height={240} />;
  return (
    <div className="grid grid-cols-1 gap-2">
      <div>
        <Segmented
          label="Language"
          value={shown.language}
          onChange={setLanguage}
          options={snippets.map((snippet) => ({ value: snippet.language, label: snippet.label }))}
        />
      </div>
      <CodeBlock name={`Verify a signature in ${shown.label}`} code={shown.code} />
    </div>
  );
}
