import type { fieldProblem as source } from '../en/field-problem.ts';

export const fieldProblem: Readonly<Record<keyof typeof source, string>> = {
  'problem.field-unknown_placeholder':
    'Ein Wort in geschweiften Klammern kennt dieser Agent nicht. Verwenden Sie die Wörter in Klammern aus dem bisherigen Text.',
  'problem.field-invalid': 'Das hat nicht die erwartete Form.',
  'problem.field-wrong_type': 'Das hat nicht die erwartete Form.',
  'problem.field-out_of_range': 'Diese Zahl ist zu klein oder zu groß.',
  'problem.field-not_a_choice': 'Das gehört nicht zur Auswahl.',
  'problem.field-unchanged': 'Das ist schon der jetzige Text.',
  'problem.field-has_address': 'Ein Name darf keine Web- oder E-Mail-Adresse und keine Telefonnummer enthalten.',
  'problem.field-has_encoded_word': 'Ein Name darf keinen für E-Mails kodierten Text (=?…?=) enthalten.',
  'problem.field-invalid_contact': 'Das ist weder eine Telefonnummer noch eine E-Mail-Adresse.',
  'problem.field-too_many': 'Es gibt schon zu viele. Entfernen Sie zuerst einen Eintrag.',
  'problem.field-unknown_host': 'Einen Server mit diesem Namen gibt es nicht.',
  'problem.field-private_address': 'Diese Adresse ist aus dem Internet nicht erreichbar.',
  'problem.field-empty': 'Die Datei ist leer.',
  'problem.field-not_an_image': 'Wählen Sie ein Bild als PNG, JPG oder WebP.',
  'problem.field-animated': 'Animierte Bilder werden nicht angenommen. Wählen Sie ein Bild ohne Animation.',
  'problem.field-too_many_pixels': 'Das Bild hat zu viele Bildpunkte. Wählen Sie ein kleineres.',
  'problem.field-unreadable': 'Die Datei lässt sich nicht lesen. Sie ist möglicherweise beschädigt.',
  'problem.field-truncated': 'Die Datei ist unvollständig. Wählen Sie sie noch einmal.',
  'problem.field-trailing_data':
    'Hinter dem Ende dieser Datei stehen weitere Daten. Speichern Sie die Datei neu, und laden Sie sie dann hoch.',
  'problem.field-infected': 'In dieser Datei wurde ein Virus gefunden.',
};
