export { createReadListLabels, type LabelsOfValue, type ReadListLabels } from './read-list-labels';
export { labelAt } from './label-at';
export { dataListSettingsSchema, type DataListSettings } from './settings';
