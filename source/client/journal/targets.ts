/** The ids that a journalled change is about. Loads nothing. */
export function targetIdsOf(
	target: number | string | readonly number[] | undefined,
): readonly number[] {
	if (typeof target === 'object') return target;
	return typeof target === 'number' ? [target] : [];
}
