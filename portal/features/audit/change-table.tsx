import type { AuditEntry } from './queries.ts';
import '../../ui/layout/panel.css';
import '../../ui/table/table.css';

/** Long values wrap. */
const VALUE = 'py-2 align-top whitespace-pre-wrap';

/** Each changed field with its old and new value. For secrets only the fact of the change is stored. */
export function ChangeTable({ changes }: { changes: AuditEntry['changes'] }) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <section>
      <h3 className="mb-2 text-sm">What changed</h3>
      <div className="panel overflow-hidden">
        <table className="table" data-dense="" aria-label="Before and after">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(([field, [before, after]]) => (
              <tr key={field}>
                <td className="py-2 align-top">{wordsOf(field)}</td>
                {before === 'changed' && after === 'changed' ? (
                  <td colSpan={2} className="text-ink-3">
                    Changed (values of secrets are not stored)
                  </td>
                ) : (
                  <>
                    <td className={`${VALUE} text-ink-2`}>{show(before)}</td>
                    <td className={VALUE}>{show(after)}</td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Turns `suspensionReason` into "Suspension reason". */
function wordsOf(field: string): string {
  const words = field
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function show(value: unknown): string {
  if (value === null || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value, null, 1);
}
