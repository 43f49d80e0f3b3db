import type { ClientImportField, ClientImportMode } from '@partner-portal/contract/vocabulary.ts';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { v4 as newId } from 'uuid';
import { uploadingApi } from '../../app/uploading-api.ts';
import { useBreadcrumb } from '../../app/breadcrumb.ts';
import { useRefusal } from '../../app/current-user.ts';
import { queryClient } from '../../app/query-client.ts';
import { useUser } from '../../app/session.ts';
import { clientImportQuery, type ImportResult } from './queries.ts';
import { refreshAfter } from '../../queries/refresh.ts';
import { ErrorBlock } from '../../shared/error-block.tsx';
import { LeaveGuard } from '../../shared/forms/leave-guard.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { READ_ONLY } from '../../ui/controls/read-only.ts';
import { Progress } from '../../ui/feedback/progress.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { useTitle } from '../../ui/hooks/use-title.ts';
import { PageHeader } from '../../ui/layout/layout.tsx';
import { formatNumber, plural } from '../../ui/text/format.ts';
import { CheckResult } from './check-result.tsx';
import { ChooseSource } from './choose-source.tsx';
import { ImportList } from './import-list.tsx';
import { MapColumns } from './map-columns.tsx';
import { formOf, type Preview, previewOf, type Reading, type Source, SOURCE_PROBLEMS } from './source.ts';
import '../../ui/layout/section-header.css';

type Fields = readonly (ClientImportField | null)[];
type Read = { source: Source; preview: Preview; fields: Fields };
type Step = 'choose' | 'columns' | 'check';

/** Whether leaving loses more than the choice of a file; what was pasted is asked about apart. */
function hasInput({ preview, fields }: Read): boolean {
  return fields !== preview.fields;
}

/** From a file to clients: choose it, see its columns, check every row, import. */
export function ImportPage() {
  useBreadcrumb('Import');
  useTitle('Import clients', useUser().partner.name);
  const refusal = useRefusal('clients.create');
  const [read, setRead] = useState<Read>();
  const [problem, setProblem] = useState<string>();
  // Kept while its columns are looked at: another source may be chosen, and then this one again.
  const [pasted, setPasted] = useState('');
  const [mode, setMode] = useState<ClientImportMode>('all');
  // The same for a second attempt at the same import, so that it happens once.
  const [attempt, setAttempt] = useState(() => newId());
  const [sent, setSent] = useState(0);
  const navigate = useNavigate();
  const isImported = useRef(false);
  const check = useMutation({
    onMutate: () => setSent(0),
    mutationFn: ({ source, preview, fields }: Read) =>
      uploadingApi(setSent).importClients({ body: formOf(source, preview, { fields, mode: 'all', dryRun: true }) }),
    onSuccess: (result) => {
      setMode('all');
      setAttempt(newId());
      return result;
    },
  });
  const run = useMutation({
    onMutate: () => setSent(0),
    mutationFn: ({ source, preview, fields }: Read) =>
      uploadingApi(setSent).importClients({
        body: formOf(source, preview, { fields, mode, dryRun: false }),
        headers: { 'idempotency-key': `${attempt}/${mode}` },
      }),
    onSuccess: async (result) => {
      // Meanwhile a row became one that is refused: nothing was written, and the rows say why.
      if (!result.import) return;
      isImported.current = true;
      queryClient.setQueryData(clientImportQuery(result.import.id).queryKey, result.import);
      void refreshAfter('clientsImported');
      await navigate({ to: '/dashboard/clients/import/$importId', params: { importId: result.import.id } });
    },
  });
  const result: ImportResult | undefined = run.data?.import === null ? run.data : check.data;
  const step: Step = !read ? 'choose' : result ? 'check' : 'columns';
  const forget = (): void => {
    check.reset();
    run.reset();
  };
  const open = (source: Source, reading: Reading = {}): void => {
    forget();
    const preview = previewOf(source, reading);
    setProblem('problem' in preview ? SOURCE_PROBLEMS[preview.problem] : undefined);
    if ('problem' in preview) return;
    setRead({ source, preview, fields: preview.fields });
  };
  const restart = (): void => {
    forget();
    setRead(undefined);
  };
  if (refusal) return <NotAllowed reason={refusal} />;
  return (
    <>
      <PageHeader
        title="Import clients"
        meta={read ? read.source.name : 'From a CSV file or a spreadsheet'}
        actions={
          read ? (
            <Button onClick={restart}>Choose another file</Button>
          ) : (
            <Link to="/dashboard/clients" className={buttonClass()}>
              All clients
            </Link>
          )
        }
      />
      <LeaveGuard isAtRisk={() => !isImported.current && (pasted.trim() !== '' || (read !== undefined && hasInput(read)))} />
      <StepPart step={step}>
        {!read ? <ChooseSource problem={problem} pasted={pasted} onPaste={setPasted} onSource={open} onProblem={setProblem} /> : null}
        {read && !result ? (
          <div className="grid grid-cols-1 gap-4">
            {problem ? (
              <Note tone="bad" alert>
                {problem}
              </Note>
            ) : null}
            <MapColumns
              preview={read.preview}
              fields={read.fields}
              onFields={(fields) => setRead({ ...read, fields })}
              onReading={(reading) => open(read.source, reading)}
            />
            {check.isPending ? <ImportProgress verb="Checking" sent={sent} rowCount={read.preview.rowCount} /> : null}
            {check.error ? <ErrorBlock error={check.error} onRetry={() => check.mutate(read)} /> : null}
            <div>
              <Button
                kind="primary"
                inactive={!read.fields.includes('name')}
                busy={check.isPending && 'Checking'}
                onClick={() => check.mutate(read)}
              >
                Check every row
              </Button>
            </div>
          </div>
        ) : null}
        {read && result ? (
          <div className="grid grid-cols-1 gap-4">
            {run.data ? (
              <Note tone="warn" alert>
                <b>Nothing was imported.</b> A row that was valid when we checked it was refused.
              </Note>
            ) : null}
            <CheckResult
              key={run.data ? 'run' : 'check'}
              result={result}
              source={read.source}
              preview={read.preview}
              mode={mode}
              onMode={setMode}
            />
            {run.isPending ? <ImportProgress verb="Importing" sent={sent} rowCount={result.rows.length} /> : null}
            {run.error ? <ErrorBlock error={run.error} onRetry={() => run.mutate(read)} /> : null}
            <div className="flex flex-wrap items-center gap-2">
              <ImportButton result={result} mode={mode} isBusy={run.isPending} onImport={() => run.mutate(read)} />
              <Button kind="quiet" onClick={forget} inactive={run.isPending}>
                Back to the columns
              </Button>
              <span role="status" className="text-ink-3">
                {run.isPending ? '' : blockedBy(result, mode)}
              </span>
            </div>
          </div>
        ) : null}
      </StepPart>
      {read ? null : <ImportList />}
    </>
  );
}

type ImportProgressProps = { verb: 'Checking' | 'Importing'; sent: number; rowCount: number | null };

/** First how much of the file is sent, then what the service does with it. It answers with all rows at once. */
function ImportProgress({ verb, sent, rowCount }: ImportProgressProps) {
  const work = `${verb} ${rowCount === null ? 'every row' : plural(rowCount, 'row')}`;
  return (
    <div className="max-w-105">
      <Progress label={sent < 100 ? 'Uploading the file' : work} percent={sent < 100 ? sent : undefined}>
        {sent < 100 ? `Uploading: ${sent}%` : work}
      </Progress>
      <span role="status" className="sr-only">
        {sent < 100 ? 'Uploading the file' : work}
      </span>
    </div>
  );
}

type ImportButtonProps = { result: ImportResult; mode: ClientImportMode; isBusy: boolean; onImport: () => void };

function ImportButton({ result, mode, isBusy, onImport }: ImportButtonProps) {
  const { counts } = result;
  const writes = counts.created + counts.updated;
  return (
    <Button kind="primary" inactive={blockedBy(result, mode) !== '' || writes === 0} busy={isBusy && 'Importing'} onClick={onImport}>
      {writes === 0 ? 'Nothing to import' : `Import ${formatNumber(writes)} ${writes === 1 ? 'client' : 'clients'}`}
    </Button>
  );
}

/** Why the button is off. */
function blockedBy({ counts }: ImportResult, mode: ClientImportMode): string {
  return mode === 'all' && counts.refused > 0 ? 'Correct the refused rows, or choose “Valid rows only”.' : '';
}

const STEPS: Readonly<Record<Step, { title: string; at: number }>> = {
  choose: { title: 'Choose a file', at: 1 },
  columns: { title: 'What the columns hold', at: 2 },
  check: { title: 'What will happen', at: 3 },
};

/** A step with its heading, which gets the focus when another step begins. */
function StepPart({ step, children }: { step: Step; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(step);
  useEffect(() => {
    if (last.current !== step) heading.current?.focus();
    last.current = step;
  }, [step]);
  const { title, at } = STEPS[step];
  return (
    <section className="mb-8">
      <div className="section-header">
        <h2 ref={heading} tabIndex={-1} className="outline-0">
          {title}
        </h2>
        <span className="tabular-nums text-ink-3">Step {at} of 3</span>
      </div>
      {children}
    </section>
  );
}

function NotAllowed({ reason }: { reason: string }) {
  return (
    <>
      <PageHeader title="Import clients" />
      <Note tone="warn">
        <b>Only admins can import clients.</b> {reason === READ_ONLY ? 'This is a read-only view.' : reason}
      </Note>
      <div className="mt-8">
        <ImportList />
      </div>
    </>
  );
}
