/** The order of files: shuffled, so that none can rely on another; TEST_ORDER draws another one. */
import process from 'node:process';
import {BaseSequencer, type TestSpecification} from 'vitest/node';
import {createRandom} from '../../source/market/seed/parts.ts';
import {expectedTime} from './times.ts';

/** Seconds of processor time from which on files begin before the others, the longest first, so that none ends alone. */
const LONG_S = 5;

/** Number that the order of this run comes from. */
export const orderSeed = Number(process.env['TEST_ORDER'] ?? 1);

export class ShuffledOrder extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const random = createRandom(orderSeed);
		const drawn = files
			.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
			.map(file => ({file, long: longTime(expectedTime(keyOf(file))), at: random.next()}))
			.toSorted((one, other) => other.long - one.long || one.at - other.at)
			// A process that runs several files belongs to one project, and ends where the next is of another.
			.toSorted((one, other) => placeOf(one.file) - placeOf(other.file));
		return drawn.map(({file}) => file);
	}
}

function longTime(seconds: number): number {
	return seconds >= LONG_S ? seconds : 0;
}

/** Place of a file's project among all. */
function placeOf({project}: TestSpecification): number {
	return ['apart', 'postgres', 'all'].indexOf(project.name);
}

function keyOf({moduleId, project}: TestSpecification): string {
	const file = moduleId.slice(moduleId.lastIndexOf('/test/') + '/test/'.length);
	return project.name === 'postgres' ? `${file} on PostgreSQL` : file;
}
