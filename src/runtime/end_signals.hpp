// The signals that end a program, and those that must not.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigset_t is POSIX

#include <chrono>
#include <vector>

namespace spatial_dynamics {

/// For the main() of a program that sends torques, never for a library or a component: changes what
/// signals do to the whole process. Construct it before any thread is started.
///
/// - SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGXCPU and SIGPWR are blocked and kept for wait().
///   The program then ramps its torque to zero and ends. Further signals of this group have no
///   effect, and stay blocked after the destruction. SIGHUP stays ignored if it was ignored before,
///   as with nohup.
/// - Every other signal that by default would end or stop the process, and that no fault of the
///   program raises, is ignored: SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPOLL, SIGPIPE,
///   SIGXFSZ, SIGTTIN, SIGTTOU, SIGSTKFLT and the real-time signals. A signal that already has a
///   handler keeps it.
/// - SIGKILL and SIGSTOP can't be caught. SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP and
///   SIGSYS mean that the program is broken: it ends at once.
class EndSignals {
 public:
  EndSignals() : EndSignals(ending()) {}
  /// With other signals in the place of the first group.
  explicit EndSignals(const std::vector<int>& ending);

  /// Waits until one of them arrives or `seconds` have passed (0: no limit). Returns the signal, or
  /// 0 if none came.
  [[nodiscard]] int wait(double seconds) const;
  /// Whether one has arrived that wait() has not returned yet.
  [[nodiscard]] bool pending() const noexcept;

  [[nodiscard]] static const std::vector<int>& ending();   ///< as listed above
  [[nodiscard]] static const std::vector<int>& ignored();  ///< as listed above

 private:
  sigset_t set_{};
};

/// Ends the process with this exit code when `limit` has passed, if it has not ended before. For a
/// main() whose work is done: what is left to free (a robot description that is being loaded, a
/// middleware that hangs) must not delay the end. Starts a thread.
void end_process_after(std::chrono::milliseconds limit, int exit_code);

}  // namespace spatial_dynamics
