import {messageOf} from '../../../contract/thrown.ts';
import type {Services} from '../../services.tsx';

/**
 * Hands an instance's own key to the renter, who gets it this once: it is shown until they leave it,
 * or kept in a file where the settings want that. Answers what else is to be said.
 */
export async function tellKey(
	{
		settings,
		renting: {keepKey},
		terminal: {secrets},
	}: Pick<Services, 'settings' | 'renting' | 'terminal'>,
	id: number,
	key: string,
): Promise<string> {
	const show = (...lines: readonly string[]) =>
		secrets.show({
			title: `KEY OF INSTANCE ${id}`,
			secret: key,
			lines: [
				...lines,
				'With it programs can start, stop and destroy this instance, and nothing else.',
				'The instance itself has it, too. The service never says it again.',
			],
			fileName: `instance-${id}`,
		});
	if (!settings.get().keepInstanceKeys) {
		show();
		return '';
	}
	try {
		return ` Its own key is kept in ${await keepKey(id, key)}.`;
	} catch (error) {
		const why = messageOf(error);
		show(`It could not be kept as the settings want it (${why}).`);
		return '';
	}
}
