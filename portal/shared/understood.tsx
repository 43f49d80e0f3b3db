import { maskJson } from '@partner-portal/core/template/mask.ts';
import type { Reply } from '../app/api.ts';
import type { Json } from '../ui/text/json-viewer.tsx';

export type Reading = Reply<'getExecution'>['understood'][number];

/** The value that the steps got, or the reason why they got none. */
export function Understood({ reading, isMasked }: { reading: Reading; isMasked: boolean }) {
  const { value, remark } = reading;
  const [text, code] = [understoodText(reading, isMasked), valueText(value, isMasked)];
  return (
    <>
      {value === null ? <span className="text-ink-2">Left out</span> : <b className="font-medium">{text}</b>}
      {value !== null && text !== code ? <code className="block text-xs break-words text-ink-3">{code}</code> : null}
      {remark ? <span className="block text-xs text-ink-3">{shown(remark, isMasked)}</span> : null}
    </>
  );
}

/** The values of an event whose interpretation differs from the received value, next to the received value. */
export function UnderstoodTable({ readings, isMasked }: { readings: readonly Reading[]; isMasked: boolean }) {
  return (
    <table className="w-full border-collapse text-left">
      <thead className="text-xs text-ink-3 max-md:sr-only">
        <tr className="border-b border-line">
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Value
          </th>
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Came as
          </th>
          <th scope="col" className="py-1.5 font-medium">
            Understood as
          </th>
        </tr>
      </thead>
      <tbody>
        {readings.map((reading) => (
          <tr key={reading.key} className="border-b border-line-soft align-top max-md:grid max-md:py-1.5">
            <th scope="row" className="py-1.5 pr-3 font-normal max-md:py-0 max-md:text-xs max-md:text-ink-3">
              {reading.label}
            </th>
            <td className="py-1.5 pr-3 max-md:py-0">
              <code className="text-xs break-words text-ink-2">{shown(reading.came, isMasked) || 'nothing'}</code>
            </td>
            <td className="py-1.5 max-md:py-0">
              <Understood reading={reading} isMasked={isMasked} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** "Start time: 9:30 in Chicago", or "Phone: left out". */
export function understoodLine(reading: Reading): string {
  return `${reading.label}: ${reading.value === null ? 'left out' : understoodText(reading, true)}`;
}

/** The value as a person reads it. */
function understoodText({ value, text }: Reading, isMasked: boolean): string {
  return text === null ? valueText(value, isMasked) : shown(text, isMasked);
}

function valueText(value: Json, isMasked: boolean): string {
  const whole = isMasked ? maskJson(value) : value;
  return typeof whole === 'string' ? whole : JSON.stringify(whole);
}

function shown(text: string, isMasked: boolean): string {
  return valueText(text, isMasked);
}
