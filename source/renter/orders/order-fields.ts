/** The fields of an order as people fill them in, by the names that they have everywhere. */

export const orderFields = [
	'template',
	'image',
	'label',
	'disk',
	'launch',
	'type',
	'price',
	'target',
	'env',
	'onstart',
	'volume',
	'volume_id',
	'volume_size',
	'volume_path',
	'volume_name',
	'ends',
	'stuck',
	'access',
	'args',
	'vm',
	'use_jupyter_lab',
	'jupyter_dir',
	'user',
	'image_login',
	'python_utf8',
	'lang_utf8',
	'force',
	'extra_filters',
	'cancel',
	'tries',
	'ceiling',
] as const;

export type OrderField = (typeof orderFields)[number];

/** The texts of the fields of an order, by their names. */
export type Values = Readonly<Record<string, string>>;

/** Form field that an error of the contract names by its wire name. */
export function fieldNamed(message: string): string | undefined {
	const words = message.match(/[a-z_]+/g) ?? [];
	const word = words.find(
		name => renamed.has(name) || (orderFields.some(id => id === name) && name !== 'user'),
	);
	return word === undefined ? undefined : (renamed.get(word) ?? word);
}

const renamed: ReadonlyMap<string, string> = new Map([
	['runtype', 'launch'],
	['args_str', 'args'],
	['target_state', 'target'],
	['cancel_unavail', 'cancel'],
	['volume_info', 'volume'],
	['mount_path', 'volume_path'],
	['template_hash_id', 'template'],
]);
