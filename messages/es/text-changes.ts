import type { textChanges as source } from '../en/text-changes.ts';

export const textChanges: Readonly<Record<keyof typeof source, string>> = {
  'text-changes.suggest': 'Proponer un cambio',
  'text-changes.dialog': 'Otro texto para «{label}»',
  'text-changes.lead': '{agency} lee su propuesta y la aplica o la rechaza. Hasta entonces no cambia nada.',
  'text-changes.text': 'Texto',
  'text-changes.placeholders': 'Las palabras entre llaves, como {example}, se completan para cada persona.',
  'text-changes.preview': 'Así se leerá',
  'text-changes.note': 'Nota para {agency}',
  'text-changes.optional': 'opcional',
  'text-changes.send': 'Enviar propuesta',
  'text-changes.sent': 'Propuesta enviada. {agency} decidirá.',
  'text-changes.yours': 'Sus propuestas',
  'text-changes.status-pending': 'Espera a {agency}',
  'text-changes.status-applied': 'Aplicada',
  'text-changes.status-declined': 'Rechazada',
  'text-changes.status-withdrawn': 'Retirada',
  'text-changes.by': '{status} por {name}',
  'text-changes.withdraw': 'Retirar',
  'text-changes.withdrawing': 'Retirando',
  'text-changes.withdrawn': 'Propuesta retirada.',
};
