/** Order of an instance after its renter has changed it. */
import type {Remake} from '../../contract/nouns/creation-request.ts';
import {splitArguments} from '../../contract/grammar/arguments.ts';
import type {TemplateContent} from '../../contract/nouns/template-content.ts';
import type {InstanceSettings} from '../lifecycle/instance-settings-rules.ts';
import {planOf} from './order-rules.ts';

type Made = {readonly image: string; readonly settings: InstanceSettings};

/** As if it was made with the template; or, without one, as it is but for what is given. */
export function remade(
	{image, settings}: Made,
	given: Remake,
	template: TemplateContent | undefined,
): Made {
	if (template === undefined) {
		return {image: given.image ?? image, settings: {...settings, ...replaced(given)}};
	}
	const plan = planOf(given, template, settings.jupyter_token);
	// No template has a word about these.
	const {python_utf8, lang_utf8, force, user, vm} = settings;
	return {
		image: plan.image,
		settings: {...plan.settings, python_utf8, lang_utf8, force, user, vm},
	};
}

function replaced({env, onstart, arguments: said}: Remake): Partial<InstanceSettings> {
	return {
		...(env && {env}),
		...(onstart !== undefined && onstart !== null && {onstart}),
		...(said && {args: 'text' in said ? splitArguments(said.text) : said.list}),
	};
}
