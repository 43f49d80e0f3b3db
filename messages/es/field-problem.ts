import type { fieldProblem as source } from '../en/field-problem.ts';

export const fieldProblem: Readonly<Record<keyof typeof source, string>> = {
  'problem.field-unknown_placeholder':
    'Este agente no conoce una de las palabras entre llaves. Use las palabras entre llaves del texto actual.',
  'problem.field-invalid': 'No tiene el formato esperado.',
  'problem.field-wrong_type': 'No tiene el formato esperado.',
  'problem.field-out_of_range': 'Este número es demasiado pequeño o demasiado grande.',
  'problem.field-not_a_choice': 'No es una de las opciones.',
  'problem.field-unchanged': 'Ese ya es el texto actual.',
  'problem.field-has_address': 'Un nombre no puede contener una dirección web, un correo ni un número de teléfono.',
  'problem.field-has_encoded_word': 'Un nombre no puede contener texto codificado para correos (=?…?=).',
  'problem.field-invalid_contact': 'No es un número de teléfono ni una dirección de correo.',
  'problem.field-too_many': 'Ya hay demasiados. Quite uno primero.',
  'problem.field-unknown_host': 'No existe ningún servidor con este nombre.',
  'problem.field-private_address': 'Esta dirección no es accesible desde internet.',
  'problem.field-empty': 'El archivo está vacío.',
  'problem.field-not_an_image': 'Elija una imagen en PNG, JPG o WebP.',
  'problem.field-animated': 'No se aceptan imágenes animadas. Elija una fija.',
  'problem.field-too_many_pixels': 'La imagen tiene demasiados píxeles. Elija una más pequeña.',
  'problem.field-unreadable': 'No se pudo leer el archivo. Puede estar dañado.',
  'problem.field-truncated': 'El archivo está incompleto. Elíjalo de nuevo.',
  'problem.field-trailing_data': 'Hay datos de más al final de este archivo. Guárdelo de nuevo y luego súbalo.',
  'problem.field-infected': 'Se encontró un virus en este archivo.',
};
