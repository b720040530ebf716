export {
	timeoutLater as setTimeout,
	immediateLater as setImmediate,
	intervals as setInterval,
} from '../timers.ts';
