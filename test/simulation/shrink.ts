/** Makes a world smaller, as long as it breaks the same rule: what is left is the story of a fault. */
import type {Plan} from './passing.ts';
import type {Outcome} from './run.ts';
import type {Part} from './world/record.ts';

type Live = (plan: Plan) => Promise<Outcome>;

export type Shrunk = {readonly plan: Plan; readonly outcome: Outcome; readonly worlds: number};

/** Rule of a sentence: without the numbers and people of one world. */
const ruleOf = (sentence: string) => sentence.replaceAll(/\b(p?\d[\d,.-]*)/g, '…').slice(0, 120);

type Found = {
	readonly plan: Plan;
	/** What its world came to: a broken rule. */
	readonly outcome: Outcome;
	/** Worlds to try. */
	readonly most: number;
};

export async function shrink(live: Live, {plan, outcome, most}: Found): Promise<Shrunk> {
	const rule = ruleOf(outcome.broken[0] ?? '');
	let best: Shrunk = {plan, outcome, worlds: 0};
	let worlds = 0;

	/** True where a smaller plan still breaks the rule: it is the best then. */
	async function holds(smaller: Plan): Promise<boolean> {
		if (worlds >= most) return false;
		worlds += 1;
		const tried = await live(smaller);
		if (!tried.broken.some(one => ruleOf(one) === rule)) return false;
		best = {
			plan: {...smaller, lastsMs: Math.min(smaller.lastsMs, tried.livedMs)},
			outcome: tried,
			worlds,
		};
		return true;
	}

	const without = async (names: readonly string[]) =>
		holds({...best.plan, without: [...(best.plan.without ?? []), ...names]});

	/** Leaves out halves, quarters and so on of what happened, as long as it is named so. */
	async function leaveOut(name: (part: Part) => string): Promise<void> {
		const present = () => [...new Set(best.outcome.parts.map(name))];
		for (
			let size = Math.ceil(present().length / 2);
			size >= 1;
			size = size === 1 ? 0 : Math.ceil(size / 2)
		) {
			const names = present();
			for (let at = 0; at < names.length; at += size) await without(names.slice(at, at + size));
		}
	}

	await holds({...plan, lastsMs: outcome.livedMs, isRestless: !outcome.isRested});
	for (let step = best.plan.lastsMs / 2; step > 5000; step /= 2) {
		await holds({...best.plan, lastsMs: best.plan.lastsMs - step});
	}
	await leaveOut(({actor}) => actor);
	await leaveOut(({kind}) => kind);
	for (let before = Infinity; best.outcome.parts.length < before;) {
		before = best.outcome.parts.length;
		await leaveOut(({name}) => name);
	}
	return {...best, worlds};
}

/** "12:00:03 p1: rentty rent …": clock times without the day, lines without what is empty. */
export function storyOf({outcome}: Shrunk): readonly string[] {
	return outcome.story.map(line => line.replace(/^0d (\S+)\.\d+/, '$1'));
}
