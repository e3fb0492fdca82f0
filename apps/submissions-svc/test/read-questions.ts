/** Questions whose answers have titles and labels, some of them in German. */
export const readQuestions = [
  { type: 'text', name: 'who', title: { default: 'Your name', de: 'Ihr Name' } },
  {
    type: 'checkbox',
    name: 'days',
    title: 'Days',
    choices: [
      { value: 1, text: { default: 'Monday', de: 'Montag' } },
      { value: 2, text: 'Tuesday' },
    ],
    showOtherItem: true,
    otherText: 'Another day',
  },
  { type: 'boolean', name: 'agrees', labelTrue: 'I agree' },
  {
    type: 'matrix',
    name: 'rates',
    rows: [
      { value: 'price', text: 'The price' },
      { value: 'place', text: 'The place' },
    ],
    columns: [{ value: 'a', text: 'Good' }, 'b'],
  },
];
