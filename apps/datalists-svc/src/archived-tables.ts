import { rulesOf, type ArchivedTable } from '@canvass/tenant-archive';
import Joi from 'joi';
import { defaultKey, localeKey, localeList, newListBody } from './catalog';

const locales = { default_locale: localeKey.required(), available_locales: localeList.required() };
/** Their length was checked where they came from. */
const text = Joi.string().allow('');
const labels = Joi.object({ [defaultKey]: text.required() })
  .pattern(Joi.string(), text)
  .required();

/** Tables that a tenant takes along: lists with their current items and those of versions that are kept. */
export const archivedTables: readonly ArchivedTable[] = [
  {
    name: 'data_lists',
    key: ['id'],
    rules: rulesOf({
      name: newListBody.extract('name'),
      description: newListBody.extract('description'),
      ...locales,
    }),
  },
  { name: 'data_list_versions', key: ['list_id', 'number'], rules: rulesOf(locales) },
  {
    name: 'items',
    key: ['list_id', 'version', 'position'],
    rules: rulesOf({ value: Joi.string().required(), labels }),
    where: `exists (select from data_lists l where l.tenant_id = t.tenant_id and l.id = t.list_id and l.items_version = t.version)
      or exists (select from data_list_versions v where v.tenant_id = t.tenant_id and v.list_id = t.list_id and v.items_version = t.version)`,
  },
];
