// What the middleware itself has to say: on standard error, but not without end. With a cable
// pulled it complains of every message, a thousand times a second.
#pragma once

namespace spatial_dynamics::dds {

/// Sends the middleware's log through a LineLimiter and log_to_standard_error(), for the whole
/// process. May be called again.
void limit_middleware_log();

}  // namespace spatial_dynamics::dds
