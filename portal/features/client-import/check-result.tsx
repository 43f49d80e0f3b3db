import type { ClientImportMode } from '@partner-portal/contract/vocabulary.ts';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveBlob } from '../../app/download.ts';
import type { ImportResult } from './queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { RadioCard } from '../../ui/forms/radio-card.tsx';
import { Figures } from '../../ui/layout/layout.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { ResultTable } from './result-table.tsx';
import { type Preview, refusedCsv, type Source } from './source.ts';

type Props = { result: ImportResult; source: Source; preview: Preview; mode: ClientImportMode; onMode: (mode: ClientImportMode) => void };

const STEP = 100;

/** What an import would do, row by row, and what to do about refused rows. */
export function CheckResult({ result, source, preview, mode, onMode }: Props) {
  const { counts, rows } = result;
  const [shows, setShows] = useState<'refused' | 'all'>(counts.refused > 0 ? 'refused' : 'all');
  const [shown, setShown] = useState(STEP);
  const filtered = shows === 'all' ? rows : rows.filter(({ outcome }) => outcome === 'refused');
  const download = (): void => {
    const reading = { delimiter: result.delimiter, encoding: result.encoding, hasHeader: preview.hasHeader };
    const text = refusedCsv(source, { ...reading, fields: result.columns.map(({ field }) => field) }, rows);
    saveBlob(new Blob([text], { type: 'text/csv' }), `refused-${source.name.replace(/\.\w+$/, '')}.csv`);
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <Figures
        items={[
          { label: 'To add', value: formatNumber(counts.created) },
          { label: 'To change', value: formatNumber(counts.updated) },
          { label: 'Unchanged', value: formatNumber(counts.unchanged) },
          { label: 'Refused', value: formatNumber(counts.refused) },
        ]}
      />
      <PlanNote result={result} />
      <ChangedCellsNote rows={rows} />
      {counts.refused > 0 ? (
        <fieldset className="grid gap-2.5 md:grid-cols-2">
          <legend className="mb-2 font-medium">{plural(counts.refused, 'row is', 'rows are')} refused</legend>
          <RadioCard name="mode" isChosen={mode === 'all'} onPick={() => onMode('all')}>
            <b className="font-medium">All rows or none</b>
            <span className="block text-ink-2">Nothing is imported unless every row is valid. Correct the file and choose it again.</span>
          </RadioCard>
          <RadioCard name="mode" isChosen={mode === 'valid'} onPick={() => onMode('valid')}>
            <b className="font-medium">Valid rows only</b>
            <span className="block text-ink-2">Refused rows are left out. Download them, correct them and import them later.</span>
          </RadioCard>
        </fieldset>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        {counts.refused > 0 ? (
          <Segmented
            label="Rows shown"
            value={shows}
            onChange={(value) => {
              setShows(value);
              setShown(STEP);
            }}
            options={[
              { value: 'refused', label: 'Only refused' },
              { value: 'all', label: 'All rows' },
            ]}
          />
        ) : null}
        {counts.refused > 0 ? (
          <Button icon={<Download aria-hidden />} onClick={download}>
            Download refused rows
          </Button>
        ) : null}
      </div>
      <ResultTable rows={filtered.slice(0, shown)} isPlan hasMore={filtered.length > shown} onMore={() => setShown(shown + STEP)} />
    </div>
  );
}

function ChangedCellsNote({ rows }: { rows: ImportResult['rows'] }) {
  const changed = rows.filter(({ outcome, code }) => outcome !== 'refused' && code === 'changed_by_spreadsheet').length;
  if (changed === 0) return null;
  return (
    <Note tone="warn">
      <b>{plural(changed, 'row has', 'rows have')} a cell that the spreadsheet changed</b>, for example to 4.91517E+11 or #N/A. It is left
      out. Format the column as text, type the values again and choose the file again.
    </Note>
  );
}

function PlanNote({ result: { clientLimit, rows } }: { result: ImportResult }) {
  const beyond = rows.filter(({ code }) => code === 'client_limit_reached').length;
  const left = Math.max(0, clientLimit.included - clientLimit.used);
  const places = `${plural(rows.length, 'row')} checked. Your plan includes ${plural(clientLimit.included, 'client')}, and ${formatNumber(left)} more can be added.`;
  if (beyond === 0) return <p className="text-ink-2">{places}</p>;
  return (
    <Note tone="warn">
      <b>{places}</b> {plural(beyond, 'row does', 'rows do')} not fit. Archive clients or request a larger plan.
    </Note>
  );
}
